<?php

namespace App\Http\Controllers\Admin;

use App\Http\Controllers\Controller;
use App\Models\Product;
use Illuminate\Http\RedirectResponse;
use Illuminate\Http\Request;

class ProductController extends Controller
{
    public function index()
    {
        return view('admin.products', [
            'title' => __('admin/products.title'),
            'products' => Product::all(),
        ]);
    }

    public function destroy(Request $request): RedirectResponse
    {
        $deleted = Product::destroy($request->input('ids'));

        return back()->with('status', trans_choice('admin/products.deleted', $deleted));
    }
}
