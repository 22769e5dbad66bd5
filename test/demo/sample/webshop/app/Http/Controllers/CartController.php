<?php

namespace App\Http\Controllers;

use App\Models\Cart;
use App\Models\Voucher;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;
use Illuminate\View\View;

class CartController extends Controller
{
    public function show(Cart $cart): View
    {
        return view('cart', ['cart' => $cart]);
    }

    public function voucher(Request $request, Cart $cart): RedirectResponse
    {
        $voucher = Voucher::byCode($request->string('code'));

        if ($voucher === null) {
            return back()->withErrors(['code' => __('cart.voucher.invalid', ['code' => $request->code])]);
        }

        $saved = $cart->apply($voucher);

        return back()->with('status', trans('cart.voucher.applied', [
            'amount' => $saved,
            'code' => $voucher->code,
        ]));
    }

    public function clear(Cart $cart): RedirectResponse
    {
        $cart->clear();

        return back()->with('status', __('cart.cleared'));
    }
}
