<?php

namespace App\Http\Controllers;

use App\Mail\OrderConfirmed;
use App\Models\Order;
use Illuminate\Http\RedirectResponse;
use Illuminate\Support\Facades\Lang;
use Illuminate\Support\Facades\Mail;

class CheckoutController extends Controller
{
    public function store(Order $order): RedirectResponse
    {
        $payment = $order->pay();

        if ($payment->declined()) {
            return back()->withErrors(['payment' => __('checkout.payment.declined', ['amount' => $order->total()])]);
        }

        Mail::to($order->email)->send(new OrderConfirmed(
            subject: Lang::get('mail.order_confirmed.subject', ['number' => $order->number]),
            greeting: Lang::get('mail.order_confirmed.greeting', ['name' => $order->name]),
            body: __('mail.order_confirmed.body') . "\n\n" . __('mail.order_confirmed.signature'),
        ));

        return redirect('/')->with('status', __('checkout.thanks', [
            'name' => $order->name,
            'number' => $order->number,
        ]));
    }
}
